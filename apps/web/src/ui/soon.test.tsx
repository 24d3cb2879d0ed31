import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { soon } from './soon.tsx'

const load = async () => ({ default: ({ name }: { name: string }) => <b>{name}</b> })

test('until its code has come, what was given stands instead, or nothing', () => {
  const Told = soon(load, <i>loading</i>)
  const Silent = soon(load)
  expect(renderToStaticMarkup(<Told name="Ana" />)).toBe('<i>loading</i>')
  expect(renderToStaticMarkup(<Silent name="Ana" />)).toBe('')
})
