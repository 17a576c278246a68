/** An invented merchant. */
export const credentials = { goid: 8123456781, clientId: "1234567890", clientSecret: "s3cr3tXY" }
