import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { environmentOfTrial } from './trial.ts'

test('a restored folder is tried without the servers of the product, whichever of them are named, also by files', () => {
  const secret = '9f2c51e07ad84b36c1f5a9e3d7b0428e'
  const original = {
    ...{ DATABASE_URL: 'postgres://pooler.test/balcao', DATABASE_DIRECT_URL: 'postgres://db.test/balcao' },
    ...{ DATABASE_READ_URL: 'postgres://copy.test/balcao', REDIS_URL: 'redis://cache.test' },
    ...{ JWT_SECRET: secret, BACKUP_TO: 'file:/mnt/b', BACKUP_KEY: secret, ROLES: 'worker' },
  }
  expect(readConfig(original).backup).not.toBeNull()
  const inFiles = { DATABASE_DIRECT_URL_FILE: '/no/such', DATABASE_READ_URL_FILE: '/no/such' }
  const read = readConfig(environmentOfTrial({ ...original, ...inFiles }, { dataDir: '/trial', port: '1' }))
  expect(read).toMatchObject({
    ...{ drill: true, dataDir: '/trial', port: 1, databaseUrl: null, databaseDirectUrl: null },
    ...{ databaseReadUrl: null, redisUrl: null, backup: null, jwtSecret: secret },
  })
})
