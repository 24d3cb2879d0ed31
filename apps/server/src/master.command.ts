import { ConfigError, readConfig } from './platform/config.ts'
import { withSecretFiles } from './platform/secret-files.ts'
import { besideProduct } from './platform/startup/beside.ts'
import type { Command } from './platform/startup/command.ts'
import { makeStandardPlan } from './seed/first-start.ts'
import { makeMaster } from './seed/master.ts'

/** `npm run master -- EMAIL`: makes a master of the platform, or gives one a new password. */
export const masterCommand: Command = async ([email], { env: given, print, ask }) => {
  if (!email) throw new ConfigError('Say whose: npm run master -- EMAIL')
  const { env } = withSecretFiles(given)
  const password = env.MASTER_PASSWORD || (await ask(`Password for ${email}: `, { hidden: true }))
  const config = readConfig({ ...env, MASTER_EMAIL: email, MASTER_PASSWORD: password || 'none' })
  const done = await besideProduct(config, { make: true }, async platform => {
    await makeStandardPlan(platform, false)
    return makeMaster(platform, { email, password, platformName: config.platformName })
  })
  print(
    done === 'made'
      ? `${email} is master of the platform and can log in.`
      : `${email} is master of the platform, with the new password; its sessions were ended.`,
  )
}
