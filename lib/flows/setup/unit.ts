/** The unit of systemd that serves images. */
export const SERVE_UNIT = 'solpack-serve.service';

/** What `solpack serve` is to serve, as a service. Paths are absolute. */
export interface ServeUnit {
  /** The words of the command line that is solpack. */
  readonly program: readonly string[];
  readonly configuration: string;
  /** `--key` or `--policy`, with a path. */
  readonly trust: readonly string[];
  /** HOST:PORT. */
  readonly listen: string;
  /** `--tls-cert`, `--tls-key` and `--htpasswd`, with paths, where others than this machine pull. */
  readonly access?: readonly string[];
}

/**
 * Returns the unit of a `serve` (systemd.service(5)). Archives may lie on media that root alone may read, so it runs as
 * root, with the one capability to read them and nothing else; it writes nothing.
 */
export function serveUnit({ program, configuration, trust, listen, access = [] }: ServeUnit): string {
  const words = [
    ...program,
    'serve',
    '-f',
    configuration,
    ...trust,
    '--listen',
    listen,
    ...access,
    '--progress',
    'none',
  ];
  return `# Written by "solpack setup", which removes it with --undo.
[Unit]
Description=Images of Solutions (solpack serve)
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${words.map(quoted).join(' ')}
Restart=on-failure
RestartSec=5
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=CAP_DAC_READ_SEARCH
ProtectSystem=strict
ProtectHome=read-only
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
`;
}

/** A word as a command line of systemd has it (systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers"). */
function quoted(word: string): string {
  if (/^[\w./:@=+,-]+$/.test(word)) return word;
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$');
  // A line break in a path must not begin another setting.
  return `"${escaped.replaceAll(/[\u0000-\u001f\u007f]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}
