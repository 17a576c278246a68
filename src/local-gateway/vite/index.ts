/**
 * The local GoPay gateway in Vite's development server. It needs no other package.
 */
export { gopay, type GopayPlugin, type ViteServer } from "./gopay.js"
