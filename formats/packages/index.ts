import { apk } from './apk.ts';
import { dpkg } from './dpkg.ts';
import { go } from './go.ts';
import type { PackageKind } from './kind.ts';
import { npm } from './npm.ts';
import { python } from './python.ts';

/** All package kinds. A new one is one file and one line here; its lines in `unread.ts` then go. */
export const packageKinds: readonly PackageKind[] = [apk, dpkg, go, npm, python];
