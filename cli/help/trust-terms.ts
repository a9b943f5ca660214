import type { Term } from './notes.ts';

/**
 * What the options mean by which commands are reported whose signatures count. Each command says besides what it does
 * with that.
 */
export const trustTerms: readonly Term[] = [
  { term: '--key <pub>', text: 'a public key (PEM) that has to have signed; may be repeated: one of them is enough' },
  {
    term: '--policy <file>',
    text: 'a trust policy: whose signatures count for which Solutions, how many are needed, and what the Solutions may do',
  },
  {
    term: '--fingerprint <sha256>',
    text: 'the fingerprint of a key, as "solpack keygen" prints it for paper; with --key, both have to match',
  },
  { term: '--trust-state <dir>', text: 'where installs remember releases, so that an older one is detected' },
  { term: '--allow-downgrade', text: 'accept a release even if a newer one was installed before' },
  { term: '--allow-unsigned <root>', text: 'accept the archive of this root, sha256:…, without a signature' },
  { term: '--insecure-skip-verify', text: 'do not check who signed the archives; their bytes are still checked' },
  {
    term: '--private-key <key>',
    text: 'the key that signs, of "sign" and "trust sign"; "pack" takes it by --sign',
  },
];
