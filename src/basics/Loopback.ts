/** Whether the host name of a `URL` always leads to this machine. */
export const isLoopback = (hostname: string): boolean => /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
