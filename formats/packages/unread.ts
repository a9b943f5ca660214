/** Files that tell about packages in ways that are not read here. An SBOM names which of them the image has. */
const patterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['rpm database', /^(?:var\/lib|usr\/lib\/sysimage)\/rpm\/(?:Packages|Packages\.db|rpmdb\.sqlite)$/],
  ['rpm manifest', /^var\/lib\/rpmmanifest\/container-manifest-[12]$/],
  ['chisel manifest', /^var\/lib\/chisel\/manifest\.wall$/],
  ['opkg database', /^(?:usr\/lib|var\/lib|lib)\/opkg\/status$/],
  ['pacman package', /^var\/lib\/pacman\/local\/[^/]+\/desc$/],
  ['portage package', /^var\/db\/pkg\/[^/]+\/[^/]+\/CONTENTS$/],
  ['Nix database', /^nix\/var\/nix\/db\/db\.sqlite$/],
  ['Conda package', /(?:^|\/)conda-meta\/[^/]+\.json$/],
  ['Ruby package', /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/],
  ['PHP packages', /(?:^|\/)vendor\/composer\/installed\.json$/],
  ['.NET packages', /\.deps\.json$/],
  ['Java archive', /\.(?:jar|war|ear)$/],
  ['Windows registry', /^(?:Files\/)?Windows\/System32\/config\/SOFTWARE$/],
];

/** Tells by its path what a file is that says about packages and is not read. Undefined for everything else. */
export function unreadAt(path: string): string | undefined {
  return patterns.find(([, pattern]) => pattern.test(path))?.[0];
}
