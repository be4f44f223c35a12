import * as assert from '../support/assert.js';
import {HermesTranscript} from '../../src/index.js';
import '../../src/define.js';

describe('define', () => {
  it('registers the elements under their names', () => {
    assert.equal(customElements.get('hermes-transcript'), HermesTranscript);
  });

  it('an element in markup is upgraded and renders', async () => {
    const element = document.createElement('hermes-transcript');
    document.body.append(element);
    await element.updateComplete;
    assert.ok(element.shadowRoot, 'it has a shadow root');
    element.remove();
  });
});
