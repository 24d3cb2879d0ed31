import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ConfigError } from '../config.ts'

interface Around {
  env: NodeJS.ProcessEnv
  print(line: string): void
  ask: typeof askOperator
}

/** One that ends otherwise than with 0 sets `process.exitCode`. */
export type Command = (args: string[], around: Around) => Promise<void>

/** Runs a command of the operator to its end; what an operator can fix is printed in one line. */
export function runProgram(command: Command): void {
  process.umask(0o077)
  command(process.argv.slice(2), { env: process.env, print: console.log, ask: askOperator }).then(
    () => process.exit(),
    error => {
      console.error(error instanceof ConfigError ? error.message : error)
      process.exit(error instanceof ConfigError ? error.exitCode : 1)
    },
  )
}

/** One line from the terminal or a pipe; of a password (`hidden`) nothing is shown. Empty where there is none. */
function askOperator(question: string, { hidden }: { hidden: boolean }): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: stdin,
    output: hidden ? nowhere : stdout,
    terminal: stdin.isTTY === true,
  })
  if (stdin.isTTY) stdout.write(question)
  return new Promise(done => {
    lines.once('line', line => {
      done(line)
      lines.close()
      if (stdin.isTTY && hidden) stdout.write('\n')
    })
    lines.once('close', () => done(''))
  })
}
