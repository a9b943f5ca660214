export { breachesOfImage, breachesOfObject, breachOfLookup, breachOfTag } from './bounds.ts';
export type { CommandSigner } from './command.ts';
export { decisionCodes, type Reason } from './decide.ts';
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
export { foreseeMemory, noMemory, readMemory, remember } from './memory.ts';
export { type Mended, mendMemory } from './mend.ts';
export { loadPolicy, ruleFor } from './policy.ts';
export { loadPrivateKey, type PrivateKey } from './private.ts';
export { judgeRecorded, type RecordedTime } from './recorded.ts';
export { acceptPolicy } from './rotation.ts';
export { type Shown, showMemory } from './show.ts';
export { type Signer, signRoot } from './sign.ts';
export { judgeStatement, type StatementVerdict, signStatementBy } from './statements.ts';
export { type DetachedBundle, judgeSignatures, readSignatures } from './verify.ts';
