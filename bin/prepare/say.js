/** A server in production: what reads its output reads JSON, also these lines. */
const isLog = process.env.NODE_ENV === 'production' && process.argv[2] === 'start'

const INFO = 30
const ERROR = 50

/** Prints a line for whoever started the command; in production as a line of the product's log. */
export const say = text => console.log(isLog ? line(INFO, text) : text)

/** The same of what ends the command; an error that is a defect has its stack. */
export const sayError = problem => console.error(isLog ? line(ERROR, problem?.stack ?? problem) : problem)

const line = (level, text) => JSON.stringify({ level, time: new Date().toISOString(), msg: String(text) })
