import { z } from 'zod';
import { version } from './json-parts.ts';

/** What commands about solpack itself print. */
export const shellSchemas = {
  completion: z.object({
    schemaVersion: version,
    shell: z.enum(['bash', 'zsh', 'fish']),
    script: z.string().describe('what the shell has to read'),
  }),
  help: z.object({
    schemaVersion: version,
    command: z.string().optional().describe('absent for the list of all commands'),
    text: z.string().describe('the help, as a terminal shows it'),
  }),
  schema: z.object({
    schemaVersion: version,
    format: z.enum(['definition', 'configuration', 'policy', 'profile']),
    schema: z.looseObject({}).describe('a JSON Schema of draft-07'),
  }),
  profile: z.object({
    schemaVersion: version,
    path: z.string().describe('the profile of this machine'),
    exists: z.boolean().describe('whether there is one'),
    settings: z
      .array(
        z.object({
          key: z.string().describe('its name, such as images.hosts-dir'),
          title: z.string().describe('what it is'),
          value: z
            .union([z.string(), z.boolean(), z.number(), z.array(z.string())])
            .optional()
            .describe('absent where neither a flag nor the profile says it'),
          source: z
            .enum(['flag', 'profile', 'default'])
            .optional()
            .describe('where the value comes from; absent where nothing says it'),
          line: z.number().int().optional().describe('of the profile, where it says so; a flag replaces that'),
          flag: z.string().optional().describe('the flag that the value comes from'),
          replacedBy: z.string().optional().describe('a flag beside which the setting has no effect'),
          default: z
            .union([z.string(), z.boolean(), z.number()])
            .optional()
            .describe('what counts where neither the profile nor a flag says it'),
        }),
      )
      .describe('all that a profile may say, in order'),
  }),
  setup: z.object({
    schemaVersion: version,
    machine: z
      .object({
        kubernetes: z.object({
          distribution: z.enum(['metalk8s', 'microshift', 'rke2', 'k3s', 'k0s', 'kubeadm', 'none']),
          sign: z.string().optional().describe('the file or folder that says so'),
          kubeconfig: z.string().optional().describe("the administrator's, where there is one"),
        }),
        runtimes: z.array(
          z.object({
            kind: z.enum(['containerd', 'cri-o', 'podman']),
            at: z.string().describe('its socket; of podman, the program'),
            version: z.string().optional().describe('where it tells'),
            hostsDir: z.string().optional().describe('where containerd looks for mirrors'),
            mirror: z.string().optional().describe('the registry that it pulls everything from'),
            mirrors: z
              .array(
                z.object({
                  registry: z.string().describe('whose images; * for all others'),
                  server: z.string().describe('the address that is asked'),
                  path: z.string().describe('the file that says so'),
                }),
              )
              .optional()
              .describe('registries that it asks for others, as somebody else has configured'),
          }),
        ),
        stopped: z
          .object({
            kind: z.enum(['containerd', 'cri-o']),
            at: z.string().describe('the socket at which nobody listens'),
            start: z.string().describe('the command that starts it'),
          })
          .optional()
          .describe('the runtime of the kubelet, where it does not run'),
        programs: z.array(
          z.object({
            name: z.enum(['helm', 'kubectl', 'ctr', 'skopeo']),
            path: z.string().optional().describe('absent where this machine has none'),
            beside: z.literal(true).optional().describe('where it is not on PATH, but beside solpack'),
            medium: z
              .object({
                archive: z.string().describe('whose installer has it'),
                path: z.string().describe('in that archive'),
              })
              .optional()
              .describe('where an archive has it for this machine, which itself has none'),
          }),
        ),
        systemd: z.boolean(),
        addresses: z.array(z.string()).optional().describe('of this machine, as others reach it'),
        free: z.number().int().optional().describe('bytes on the disk of /var/lib'),
      })
      .optional()
      .describe('what was found; absent with --undo'),
    nodes: z.number().int().optional().describe('of the cluster, where its API server tells'),
    kubeconfig: z.string().optional().describe('of the cluster that is installed into'),
    profile: z.string().describe('the profile that is written'),
    images: z
      .object({
        chosen: z.looseObject({
          way: z.enum(['serve', 'shared', 'served', 'registry', 'containerd', 'image-folder', 'image-store']),
        }),
        reason: z.string(),
      })
      .optional()
      .describe('how images get to nodes; absent where the profile says it already'),
    join: z.string().optional().describe('the command that lets another node pull from here'),
    steps: z.array(
      z.object({
        kind: z.enum(['folder', 'file', 'program', 'setting', 'service']),
        subject: z.string().describe('a path, or a unit of systemd'),
        what: z.string(),
        state: z.enum(['to do', 'done', 'there', 'to take back', 'taken back', 'kept']),
      }),
    ),
  }),
  docs: z.object({
    schemaVersion: version,
    pages: z
      .array(
        z.object({
          name: z.string().describe('by which "solpack docs" prints it, such as trust or trust#policy'),
          title: z.string(),
          text: z.string().optional().describe('in Markdown; absent in the list of all pages'),
        }),
      )
      .describe('the page that was asked for, or all'),
  }),
  explain: z.object({
    schemaVersion: version,
    codes: z
      .array(
        z.object({
          code: z.string(),
          kind: z
            .enum(['error', 'verify', 'check', 'reason'])
            .describe('an error, a finding of verify or of check, or the reason that a format gives'),
          meaning: z.string(),
          advice: z.string().describe('what to do'),
          exit: z.number().int().optional().describe('the exit code of a command that ends with this error'),
        }),
      )
      .describe('all that the code stands for; empty for a file'),
    file: z
      .object({
        name: z.string().describe('what such a file is called, as a rule'),
        format: z.enum(['definition', 'configuration', 'policy', 'profile']),
        summary: z.string(),
        about: z.array(z.string()).describe('paragraphs'),
        page: z.string().describe('the page that "solpack docs" prints about it'),
        fields: z
          .array(
            z.object({
              path: z
                .string()
                .describe('names with points between; [] stands for each entry of a list, NAME for any name'),
              type: z.string(),
              required: z.boolean().describe('whether it has to be there, if what it stands in is there'),
              description: z.string().optional(),
              values: z.array(z.string()).describe('all that it may be, where that is a few words'),
              default: z.string().optional().describe('what counts where it is left out, as JSON'),
            }),
          )
          .describe('all that it may say, each field before those in it'),
      })
      .optional()
      .describe('the file that was asked for'),
  }),
};
