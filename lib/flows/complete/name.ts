/** A name that a user may mean, with what it is. */
export interface KnownName {
  readonly name: string;
  readonly about: string;
}
