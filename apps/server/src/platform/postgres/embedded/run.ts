import { spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './programs.ts'

/** How folders begin that hold nothing but a socket, or a password for the moment in which a cluster is made. */
const PREFIX = join(tmpdir(), 'balcao-postgres-')

/** A folder with a short path (a socket's may have 107 bytes) that only the account may enter; `path` makes that one again. */
export function privateFolder(account: Account | null, path?: string): string {
  if (path) {
    // a postmaster that ended in good order removes its socket, not the folder
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { mode: 0o700 })
  }
  const folder = path ?? mkdtempSync(PREFIX)
  giveTo(account, folder)
  return folder
}

export const isPrivateFolder = (path: string) => path.startsWith(PREFIX)

export function giveTo(account: Account | null, ...paths: string[]) {
  if (account) for (const path of paths) chownSync(path, account.uid, account.gid)
}

/**
 * Runs a program of PostgreSQL on a data folder, in a session of its own so that a signal to this process's group does
 * not reach it. What it prints goes to the file `log`, or is kept.
 *
 * As root the folder is passed open, as a descriptor: the account may enter it where it may not enter the folders
 * above it (such as /root), and PostgreSQL names everything from there.
 */
export function run(program: string, folder: string, account: Account | null, args: string[], log?: string) {
  const output = log ? openSync(log, 'a', 0o600) : 'pipe'
  const passed = account && process.platform === 'linux' ? openSync(folder, 'r') : null
  try {
    const child = spawn(program, ['-D', passed === null ? folder : '/proc/self/fd/3/', ...args], {
      cwd: '/',
      detached: true,
      windowsHide: true,
      stdio: ['ignore', output, output, ...(passed === null ? [] : [passed])],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', ...windowsNeeds() },
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', text => (printed += text))
    const end = new Promise<number>(done => {
      child.once('error', error => {
        printed += error.message
        done(-1)
      })
      child.once('close', code => done(code ?? -1))
    })
    return { child, end, said: () => printed }
  } finally {
    for (const descriptor of [output, passed]) if (typeof descriptor === 'number') closeSync(descriptor)
  }
}

const windowsNeeds = () => (process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot ?? '' } : {})

/** The line of PostgreSQL's output with the reason: its first error, from which others may follow, or its last line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter(line => line.trim() !== '')
  const reason = (
    lines.find(line => /FATAL|PANIC|error:|No space left/i.test(line)) ??
    lines.at(-1) ??
    'it says nothing'
  )
    .replace(/^.{0,200}?\d{4}-\S{1,20} \S{1,20} \S{1,20} \[\d+\] /, '')
    .replace(/^\S*(initdb|postgres): /, '')
    .trim()
  // the error itself may hold only how many bytes were written
  return /No space left|Check free disk space/.test(output) ? `${NO_ROOM}: ${reason}` : reason
}

const NO_ROOM = 'the disk is full'

/** Whether this is the reason that a program of PostgreSQL gave. */
export const hasNoRoom = (error: Error): boolean => error.message.includes(NO_ROOM)
