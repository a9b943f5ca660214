/**
 * A license as CycloneDX writes it: an SPDX identifier, an expression of such identifiers, or a name in the package's
 * own words.
 */
export type License =
  | { readonly license: { readonly id: string } }
  | { readonly expression: string }
  | { readonly license: { readonly name: string } };

/** The SPDX identifiers that most packages use. All others are written as names. */
const identifiers = new Set(
  `0BSD AFL-2.1 AGPL-3.0-only AGPL-3.0-or-later Apache-1.1 Apache-2.0 Artistic-1.0 Artistic-1.0-Perl Artistic-2.0
  BSD-1-Clause BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause BSD-4-Clause BSL-1.0 BlueOak-1.0.0 CC-BY-3.0 CC-BY-4.0
  CC-BY-SA-4.0 CC0-1.0 CDDL-1.0 CDDL-1.1 EPL-1.0 EPL-2.0 FTL GFDL-1.3-or-later GPL-1.0-or-later GPL-2.0-only
  GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later HPND ICU IJG ISC LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1-only
  LGPL-2.1-or-later LGPL-3.0-only LGPL-3.0-or-later Libpng MIT MIT-0 MPL-1.1 MPL-2.0 NCSA OFL-1.1 OLDAP-2.8 OpenSSL
  PHP-3.01 PostgreSQL PSF-2.0 Python-2.0 Ruby SSH-OpenSSH TCL Unicode-3.0 Unicode-DFS-2016 Unlicense UPL-1.0 Vim W3C
  WTFPL X11 Zlib ZPL-2.1 bzip2-1.0.6 curl libtiff`.split(/\s+/),
);
const exceptions = new Set(['Classpath-exception-2.0', 'GCC-exception-3.1', 'LLVM-exception', 'OpenSSL-exception']);

/** Converts the license that a package states to that of CycloneDX 1.6 ("licenseChoice"). */
export function licenseOf(text: string): License {
  if (identifiers.has(text)) return { license: { id: text } };
  return isExpression(text) ? { expression: text } : { license: { name: text } };
}

/** Returns whether `text` is a license expression (SPDX specification, Annex D) of the identifiers above. */
function isExpression(text: string): boolean {
  const tokens = text.replace(/[()]/g, ' $& ').trim().split(/\s+/);
  let depth = 0;
  let operand = true;
  for (const [at, token] of tokens.entries()) {
    if (operand && token === '(') depth += 1;
    else if (!operand && token === ')') depth -= 1;
    else if (operand && tokens[at - 1] === 'WITH' ? exceptions.has(token) : operand && identifiers.has(token))
      operand = false;
    else if (!operand && (token === 'AND' || token === 'OR' || (token === 'WITH' && identifiers.has(tokens[at - 1]!))))
      operand = true;
    else return false;
    if (depth < 0) return false;
  }
  return depth === 0 && !operand;
}
