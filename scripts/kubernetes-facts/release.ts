import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A part of an OpenAPI 2.0 document of Kubernetes, as far as it is read here. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

/** What a definition or an operation is about. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A release of Kubernetes as its Go module has it. */
export interface Release {
  readonly minor: number;
  readonly definitions: Readonly<Record<string, Schema>>;
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The Go source of the API server's defaults, and that of its OpenAPI; each where it is since 1.24. */
  readonly sources: { readonly defaults: () => string; readonly openApi: () => string };
}

/** Reads the first release of a minor version of Kubernetes, which go fetches unless this machine has it. */
export function fetchRelease(minor: number): Release {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' };
  const printed = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v1.${minor}.0`], {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 20,
  });
  const { Dir: folder } = JSON.parse(printed) as { Dir: string };
  const read = (...names: string[]): string => readFileSync(join(folder, ...names), 'utf8');
  const { definitions, paths } = JSON.parse(read('api/openapi-spec/swagger.json')) as Release;
  return {
    minor,
    definitions,
    paths,
    sources: {
      defaults: () => read('pkg/controlplane/instance.go'),
      openApi: () => read('pkg/generated/openapi/zz_generated.openapi.go'),
    },
  };
}
