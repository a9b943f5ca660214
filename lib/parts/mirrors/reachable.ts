/** Returns the URL at which nodes reach a registry that listens on every address: that of this machine. */
export function reachable(url: string): string {
  return url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
}
