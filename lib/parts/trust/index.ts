/** Keys, signatures and policies: who is trusted for what. */

export { breachesOfImage, breachesOfObject, breachOfLookup, breachOfTag } from './bounds.ts';
export type { CommandSigner } from './command.ts';
export { decisionCodes, type Reason } from './decide.ts';
export type {
  /** A signature that a document has now. */
  DocumentSigned,
} from './documents.ts';
export { signDocument } from './documents.ts';
export { generateKey } from './generate.ts';
export {
  judgeTrust,
  type Trust,
  type TrustVerdict,
  trustInFingerprints,
  trustInKeys,
  trustInNobody,
  withKeysOf,
} from './judge.ts';
export { loadPublicKey, type PublicKey, publicKeyOf, type SignatureAlgorithm } from './keys.ts';
export type {
  /** What earlier installs have left: nobody can revert it, except those who may sign a mend. */
  Memory,
  /** What earlier installs have left of one Solution. */
  Remembered,
} from './memory.ts';
export { foreseeMemory, noMemory, readMemory, remember } from './memory.ts';
export type {
  /** Which mend to apply to what. */
  MendRequest,
} from './mend.ts';
export { type Mended, mendMemory } from './mend.ts';
export type {
  /** Whom to trust. */
  Policy,
  /** A key that a policy knows, and when its signatures count. */
  PolicyKey,
} from './policy.ts';
export { loadPolicy, ruleFor } from './policy.ts';
export type {
  /** A passphrase, or a function that returns the one for the key in the file `path`. */
  Passphrase,
} from './private.ts';
export { loadPrivateKey, type PrivateKey } from './private.ts';
export { judgeRecorded, type RecordedTime } from './recorded.ts';
export type {
  /** A policy that was accepted. */
  Rotation,
  /** Which policy replaces which. */
  RotationRequest,
} from './rotation.ts';
export { acceptPolicy } from './rotation.ts';
export type {
  /** What is remembered of a Solution, and its meaning. */
  ShownSolution,
} from './show.ts';
export { type Shown, showMemory } from './show.ts';
export { type Signer, signRoot } from './sign.ts';
export { judgeStatement, type StatementVerdict, signStatementBy } from './statements.ts';
export {
  /** A date for messages. */
  date,
} from './time.ts';
export { type DetachedBundle, judgeSignatures, readSignatures } from './verify.ts';
