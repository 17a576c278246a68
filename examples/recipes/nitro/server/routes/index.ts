export default defineEventHandler(() => "A shop")
