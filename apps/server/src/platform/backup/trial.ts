/** What names the servers of the product, each also as `NAME_FILE`. */
const SERVERS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL', 'REDIS_URL']

/**
 * The environment of a product that is started once on a restored folder: that of this process without its servers, roles and
 * backups. What is of use beside DATABASE_URL only would end the start.
 */
export const environmentOfTrial = (
  env: NodeJS.ProcessEnv,
  { dataDir, port }: { dataDir: string; port: string },
): NodeJS.ProcessEnv => ({
  ...env,
  ...Object.fromEntries(SERVERS.flatMap(name => [name, `${name}_FILE`]).map(name => [name, ''])),
  ...{ DRILL: '1', DATA_DIR: dataDir, PORT: port, HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
  ...{ UPGRADE_BACKUPS: '0', ROLES: '', BACKUP_TO: '' },
})
