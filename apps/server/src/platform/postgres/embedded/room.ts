import { statfs } from 'node:fs/promises'

/** PostgreSQL writes its log in files of 16 MB: one begins only where there is room for all of it. */
const LEAST_FREE = 2 * 16 * 1024 * 1024

/** Whether the disk of DATA_DIR has room for what the database writes next; true where the system does not say. */
export const hasRoom = (dataDir: string): Promise<boolean> =>
  statfs(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize >= LEAST_FREE,
    () => true,
  )
