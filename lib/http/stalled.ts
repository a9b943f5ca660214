/** Nothing moved for the time that `HttpTiming` allows. */
export class StalledError extends Error {
  readonly code = 'ETIMEDOUT';
  /** Whether the connection stood. */
  readonly connected: boolean;

  constructor(milliseconds: number, connected: boolean) {
    super(`nothing moved for ${milliseconds / 1000} s`);
    this.connected = connected;
  }
}
