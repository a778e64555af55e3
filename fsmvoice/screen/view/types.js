// The shapes that cross the edges of the view. Nothing of this file is in the built page.

/** @typedef {{[key: string]: any}} Json */
/** @typedef {{label: string, value: string}} Fact */
/**
 * @typedef {object} Action
 * @property {string} event
 * @property {string} label
 * @property {string} tool
 * @property {"primary" | "secondary" | "danger"} style
 * @property {Json} schema
 * @property {boolean} enabled
 * @property {string} [reason]
 */
/**
 * @typedef {object} Screen
 * @property {string} title
 * @property {string} say
 * @property {string | Json} value
 * @property {Fact[]} facts
 * @property {Action[]} actions
 * @property {boolean} final
 */
/** @typedef {{content?: {type: string, text?: string}[], structuredContent?: Json, isError?: boolean}} Result */
/** @typedef {{tool: string, label: string, args: Json, token: string, danger: boolean}} Question - what waits for a yes */
/**
 * What the server knows of the machine when it hands out the page.
 * @typedef {object} Settings
 * @property {string} title
 * @property {string} lang
 * @property {string} status - the tool that says where things stand
 * @property {string} startOver - the tool that begins again
 * @property {string} [startSession] - the tool that opens a session, where there are handles
 * @property {boolean} handles - whether a session is named with each call
 * @property {{[word: string]: string}} words - what the view itself says
 * @property {{[locale: string]: {[word: string]: string}}} others - the same in further languages of the machine
 */
/**
 * How the view reaches the server.
 * @typedef {object} Link
 * @property {(tool: string, args: Json) => Promise<Result>} call - rejects where there was no answer
 * @property {(label: string, args: Json, result: Result) => void} done - hears of what was tapped, and what came of it
 */

export {};
