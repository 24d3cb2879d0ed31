import { spawn } from 'node:child_process'
import { whenAbandoned } from './abandoned.js'

/**
 * Runs a program in place of this one: its output is ours, signals reach it, and its end is our end.
 * Never returns.
 */
export function run(program, args, options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(child, signal))
  whenAbandoned(() => child.kill('SIGTERM'))
  return new Promise((_, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => endLike(code, signal))
  })
}

/** A terminal sends Ctrl-C to every process of the window itself: a second one would mean "at once". */
function forward(child, signal) {
  if (signal === 'SIGINT' && process.stdin.isTTY) return
  child.kill(signal)
}

function endLike(code, signal) {
  if (!signal) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/**
 * Runs a program to its end and answers its exit code; `quiet` keeps its output for the caller.
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { quiet?: boolean }} options
 */
export function finished(program, args, { quiet = false, ...options } = {}) {
  const child = spawn(program, args, { stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit', ...options })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
