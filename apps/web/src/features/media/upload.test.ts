import { Media } from '@balcao/contract/media.ts'
import { expect, test } from 'vitest'
import { sample } from '../../../testing/samples.ts'
import { forgetPerson } from '../../platform/person.ts'
import { holdFile, localFile, mediaKnown } from './upload.ts'

test('a file that its user was sending, and its size, are not known to the next user of the window', () => {
  const measured = sample(Media, { width: 400, height: 300 })
  const media = sample(Media, { width: null, height: null })
  holdFile('m1', new File(['x'], 'x.png'), measured)
  expect(localFile('m1')?.name).toBe('x.png')
  expect(mediaKnown({ id: 'm1', media })).toMatchObject({ width: 400, height: 300 })
  forgetPerson()
  expect(localFile('m1')).toBeUndefined()
  expect(mediaKnown({ id: 'm1', media })).toEqual(media)
})
