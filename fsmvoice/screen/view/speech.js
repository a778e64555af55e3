// The browser's own speech, where it has it. A browser may send what its microphone hears to its maker.

/** @typedef {{transcript: string}} Heard */

const kind = /** @type {any} */ (window).SpeechRecognition ?? /** @type {any} */ (window).webkitSpeechRecognition;

export const canListen = kind !== undefined;
export const canSpeak = "speechSynthesis" in window;

/**
 * Listen to one utterance. Resolves with its words; with none if nothing was understood.
 * @param {string} lang
 * @returns {Promise<string>}
 */
export function listen(lang) {
  return new Promise((done) => {
    const ear = new kind();
    ear.lang = lang;
    ear.onresult = (/** @type {{results: Heard[][]}} */ event) => done(event.results[0][0].transcript);
    ear.onerror = () => done("");
    ear.onend = () => done("");
    ear.start();
  });
}

/**
 * Speak, in place of what is being spoken.
 * @param {string} text
 * @param {string} lang
 */
export function speak(text, lang) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
