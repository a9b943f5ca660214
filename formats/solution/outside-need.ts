/** Something that a Solution requires or recommends, and that an install of others meets. */
export interface OutsideNeed {
  readonly kind: 'requires' | 'any-of' | 'recommends';
  readonly name: string;
  readonly range: string;
  /** The version that was found. */
  readonly version: string;
  /** What has it: `the Helm release monitoring/kps`. */
  readonly by: string;
}
