/** Whether the host name of an address, as `URL` has it, leads to this machine alone. */
export const isLoopback = (hostname: string): boolean => /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
