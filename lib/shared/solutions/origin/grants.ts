import { type Grants, isClosed, readAddressGrant, readRegistryGrant } from '../../../../formats/solution/grants.ts';
import { SolpackError } from '../../../kernel/events/index.ts';

/** `Grants` as an operator writes them. */
export interface WrittenGrants extends Pick<Grants, 'folders' | 'variables' | 'withheld'> {
  readonly addresses: readonly string[];
  readonly registries: readonly string[];
}

/** Reads what an operator allows documents from a cluster to name. Throws `usage-invalid`. */
export function readGrants({ folders, variables, addresses, registries, withheld }: WrittenGrants): Grants {
  for (const folder of folders) {
    if (isClosed(folder))
      throw usage('--allow-files', folder, 'holds files that no configuration may read', 'name another folder');
  }
  for (const name of variables) {
    if (!/^[A-Za-z_]\w*\*?$/.test(name))
      throw usage('--allow-variable', name, 'is not the name of a variable', 'write NAME, or PREFIX*');
  }
  return {
    folders,
    variables,
    addresses: addresses.map((value) => {
      const url = readAddressGrant(value);
      if (url !== undefined) return url;
      throw usage(
        '--allow-address',
        value,
        'is not an address without user, query and fragment',
        'write https://HOST/PATH',
      );
    }),
    registries: registries.map((value) => {
      const read = readRegistryGrant(value);
      if (read !== undefined) return read;
      const hint = 'write HOST[:PORT], or HOST[:PORT]/REPOSITORY without a tag';
      throw usage('--allow-registry', value, 'is not a registry', hint);
    }),
    withheld,
  };
}

function usage(flag: string, value: string, message: string, hint: string): SolpackError {
  return new SolpackError('usage-invalid', flag, `${value} ${message}`, { hint });
}
