import { isTest, type Rule } from './codebase.ts'

const READER = 'apps/server/src/platform/files/unzip.ts'

/** Libraries that unpack archives by themselves, and what unpacks in Node. */
const unpackers =
  /^\s*import\s+(?!type\b)[^'"]*['"](yauzl|fflate|jszip|adm-zip|unzipper[\w-]*|node-stream-zip|read-excel-file[^'"]*|exceljs|xlsx)['"]|^\s*import\s+[^'"]*\b\w*(inflate|gunzip|unzip|decompress)\w*\b[^'"]*['"](node:)?zlib['"]/im

export const oneArchiveReader: Rule = {
  name: 'archives are read by one reader',
  find: ({ sources }) =>
    sources
      .filter(
        ({ path }) => /^(apps\/server\/src|packages|bin)\//.test(path) && !isTest(path) && path !== READER,
      )
      .filter(({ text }) => unpackers.test(text))
      .map(
        ({ path }) =>
          `${path} unpacks by itself: use openArchive of platform/files/unzip.ts, which counts the bytes, so that no two readers see two different files`,
      ),
}
