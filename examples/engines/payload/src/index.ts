export { createGopay } from "./gopay.js"
export { CZK, type GopayOptions } from "./options.js"
