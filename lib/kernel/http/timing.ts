/** Time limits, in milliseconds. */
export interface HttpTiming {
  /** For the connection, with its TLS handshake; as `idle` where it is left out. */
  readonly connect?: number;
  /** For the next bytes of a transfer. */
  readonly idle: number;
  /**
   * For the answer to a body that was sent whole: registries hash and store it first. As `idle` where it is left out.
   */
  readonly answer?: number;
  /** Bytes that have to come in the time of `idle`: fewer are as good as none. Where it is left out, 1024. */
  readonly least?: number;
  /** Before the first repetition; each later one waits twice as long, up to `longest`. */
  readonly pause: number;
  readonly longest?: number;
  /** From the beginning of the first attempt until that of the last one; left out, the number of attempts decides. */
  readonly total?: number;
  /** The same where the connection is refused, because nobody listens there; as `total` where it is left out. */
  readonly refused?: number;
  /** Waits that many milliseconds before a repetition; left out, time passes by itself. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** How long is waited where nobody says otherwise. */
export const usualTiming: HttpTiming = { idle: 60_000, answer: 300_000, pause: 500 };
