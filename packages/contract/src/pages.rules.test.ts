import { expect, test } from 'vitest'
import { isOutside, pageAt } from './pages.rules.ts'

test.each([
  ['/store', '/store/:planId?', {}],
  ['/STORE/7/?x=1', '/store/:planId?', { planId: '7' }],
  ['/subscription/a%20b#c', '/subscription/:leadId?', { leadId: 'a b' }],
  ['/subscription/%', '/subscription/:leadId?', { leadId: '%' }],
  [
    '/n/email/4',
    '/n/:notificationPlatform/:notificationId',
    { notificationPlatform: 'email', notificationId: '4' },
  ],
])('%s leads outside, and says what it is about', (address, page, places) => {
  expect(pageAt(address)).toEqual({ page, places })
})

test.each(['/', '/stores', '/store/7/8', '/n', '/n/email', '/nothing', '/tickets?x=/store'])(
  '%s leads into the app',
  address => expect(isOutside(address)).toBe(false),
)
