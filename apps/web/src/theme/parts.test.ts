import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('..', import.meta.url))
const styles = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'styles')
const parts = readFileSync(join(src, 'theme/parts.css'), 'utf8')

test('every part of Mantine that a screen shows has its styles: without them it is there and is not seen', () => {
  const used = globSync('**/*.tsx', { cwd: src })
    .flatMap(file => [
      ...readFileSync(join(src, file), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
    ])
    .flatMap(([, names = '']) => names.split(','))
    .map(name => name.trim().split(' as ')[0]!)
  expect(used).toContain('Button')
  const styled = [...new Set(used)].filter(name => existsSync(join(styles, `${name}.layer.css`)))
  expect(styled.filter(name => !parts.includes(`/${name}.layer.css`))).toEqual([])
})
