import { expect, test } from 'vitest'
import { pointOf } from './locations.point.ts'

const pituba = { latitude: -12.9969, longitude: -38.4529 }

test.each([
  '-12.9969, -38.4529',
  ' -12.9969;-38.4529 ',
  '-12.9969 -38.4529',
  'geo:-12.9969,-38.4529?z=15',
  'https://maps.google.com/?q=-12.9969,-38.4529',
  'https://www.google.com/maps?q=loc:-12.9969,-38.4529&z=15',
  'https://www.google.com/maps/search/?api=1&query=-12.9969%2C-38.4529',
  'https://www.google.com/maps/search/-12.9969,+-38.4529?entry=tts',
  'https://www.google.com/maps/@-12.9969,-38.4529,15z',
  'https://www.google.com/maps/place/Loja/@-13.01,-38.5,13z/data=!4m6!3m5!8m2!3d-12.9969!4d-38.4529!16s',
  'https://www.openstreetmap.org/?mlat=-12.9969&mlon=-38.4529#map=15/-13.01/-38.5',
  'https://www.openstreetmap.org/#map=15/-12.9969/-38.4529',
  'https://waze.com/ul?ll=-12.9969,-38.4529&navigate=yes',
])('a place is read from %s [LOC-008]', text => expect(pointOf(text)).toEqual(pituba))

test.each(['', 'longe', '-12.9969', '91, 0', '0, 181', 'https://maps.app.goo.gl/abc', '%E0%A4%A'])(
  'no place on earth is read from "%s"',
  text => expect(pointOf(text)).toBeNull(),
)
