import { sizeWords } from '../../../lib/command.ts';
import type { Inspection } from '../../../lib/index.ts';
import { count, grouped } from '../../io.ts';
import { html } from './markup.ts';
import type { PageSection } from './page.ts';
import { bulletList, code } from './parts.ts';

/** Shows signatures as a chain: from the fingerprint that somebody has on paper, to every byte. */
export function signaturesSection({
  signatures,
  signatureSlots,
  root,
  images,
  components,
  size,
}: Inspection): PageSection {
  const none = signatures.length === 0;
  const keys = signatures.map(
    ({ keyId, algorithm, slot }) => html`${code(grouped(keyId))} <span class="dim">${algorithm}, slot ${slot}</span>`,
  );
  const chain = html`<ol class="chain">
<li><strong>The fingerprint that you got on paper</strong> has to be one of these, digit by digit, or the archive is not from its supposed publisher.</li>
<li><strong>${count(signatures.length, 'key')} signed, of ${signatureSlots} slots</strong>${bulletList(keys)}</li>
<li><strong>What they signed is the root</strong>${code(root)}</li>
<li><strong>The root names all the rest by digest</strong>${count(components.length, 'component')}, ${count(images.length, 'image')}: ${sizeWords(size)}, in which no byte can be another without a different root.</li>
</ol>
<p class="note">This page shows what the archive carries; it checks nothing. <code>solpack verify ARCHIVE --fingerprint FINGERPRINT</code> does.</p>`;
  return {
    id: 'signatures',
    title: 'Who signed it',
    amount: signatures.length,
    alert: none,
    body: none
      ? html`<p>Nobody has signed it yet. Its root is ${code(root)}; <code>solpack sign</code> signs that.</p>`
      : chain,
  };
}
