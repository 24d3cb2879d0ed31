import { ConfigError, readConfig } from './platform/config.ts'
import { besideProduct } from './platform/startup/beside.ts'
import type { Command } from './platform/startup/command.ts'
import { type DemoCompany, demoCompanies, removeDemo } from './seed/demo-removal.ts'

/** `npm run demo -- remove`: takes the companies and accounts of the demo away, after a question or with `--yes`. */
export const demoCommand: Command = async ([verb, ...options], { env, print, ask }) => {
  const unknown = options.find(option => option !== '--yes')
  if (verb !== 'remove' || unknown)
    throw new ConfigError('Say what: npm run demo -- remove, with --yes unasked')
  await besideProduct(readConfig(env), { make: false }, async platform => {
    const found = await platform.transaction(demoCompanies)
    if (found.length === 0) return print('There is nothing of the demo here.')
    for (const company of found) print(described(company))
    const isMeant = options.length > 0 || YES.test((await ask(QUESTION, { hidden: false })).trim())
    if (!isMeant) throw new ConfigError('Nothing was changed')
    await removeDemo(platform)
    print('The demo was taken away: none of its accounts can log in.')
    print('The running product deletes the rows and files of its companies, or the next one that is started.')
  })
}

const QUESTION = 'Write yes to take this away for good: '
const YES = /^(yes|sim|s[ií])$/i

function described({ name, accounts, others, goes }: DemoCompany): string {
  const emails = accounts.map(({ email }) => email).join(', ')
  if (!goes) return `${name} stays, since ${others.join(', ')} came to it; closed: ${emails}`
  const since = others.length > 0 ? ` and who came since: ${others.join(', ')}` : ''
  return `${name}, with everything of it: ${emails}${since}`
}
