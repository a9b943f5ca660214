import { behind, oneLine, textAt } from '../../server/index.ts';
import type { Cause, ObjectEvidence } from './cause.ts';
import { eventsAbout } from './events.ts';

const reasons = ['ProvisioningFailed', 'FailedBinding', 'ExternalProvisioning', 'VolumeMismatch'];

/** Explains why a PersistentVolumeClaim has no volume. */
export function explainClaim({ object, events, storageClass }: ObjectEvidence): Cause | undefined {
  const name = textAt(object, 'spec', 'storageClassName');
  if (name !== '' && storageClass === 'absent') {
    return {
      cause: `its StorageClass ${name} does not exist`,
      hint: `add StorageClass ${name} to an earlier component, or name one that "kubectl get storageclass" shows`,
    };
  }
  const last = eventsAbout(events, object.metadata.uid).findLast((one) => reasons.includes(textAt(one, 'reason')));
  const message = oneLine(textAt(last, 'message'));
  switch (textAt(last, 'reason')) {
    case 'ExternalProvisioning': {
      const provisioner = /provisioner '([^']*)'/.exec(message)?.[1] ?? textAt(storageClass, 'provisioner');
      return {
        cause: `it waits for provisioner ${provisioner}, which makes no volume`,
        hint: `start the storage driver ${provisioner}, and read its log`,
      };
    }
    case 'FailedBinding':
      return withoutVolume(name);
    case 'ProvisioningFailed':
      // The class exists now, but did not when the controller looked. A class without a provisioner makes no volumes.
      if (typeof storageClass === 'object' && makesNone(message)) {
        return withoutVolume(name);
      }
      return { cause: `no volume can be made for it: ${message}`, hint: 'check the storage behind its StorageClass' };
    case 'VolumeMismatch':
      return { cause: message, hint: 'correct the claim, or the volume that it names' };
    default:
      return undefined;
  }
}

function makesNone(message: string): boolean {
  if (message.endsWith('no-provisioner')) return true;
  return /^\S* "[^"]*" not found/.test(behind(message, 'storageclass') ?? '');
}

function withoutVolume(name: string): Cause {
  return name === ''
    ? {
        cause: 'no PersistentVolume fits it, and it has no StorageClass that could make one',
        hint: 'name a storageClassName, mark a StorageClass as the default one, or create a PersistentVolume that fits',
      }
    : {
        cause: `no PersistentVolume of StorageClass ${name} fits it, and none is made for it`,
        hint: `create a PersistentVolume of class ${name} that fits in size and accessModes`,
      };
}
