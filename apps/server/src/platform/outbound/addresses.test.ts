import { expect, it } from 'vitest'
import { addressRule, isAllowEntry } from './addresses.ts'

const nothing = addressRule([])
const allows = (rule: ReturnType<typeof addressRule>, address: string, host = 'hook.test') =>
  rule.allows(address, host)

it.each([
  ['this machine', '127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '::'],
  ['this network', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', 'fc00::1', 'fd12::1'],
  [
    'the link and cloud metadata',
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '168.63.129.16',
  ],
  ['the provider', '100.64.0.1', '100.100.100.200', '192.0.0.192'],
  ['many at once', '224.0.0.1', '255.255.255.255', 'ff02::1'],
  ['nobody', '192.0.2.1', '198.18.0.1', '240.0.0.1', '2001:db8::1', 'fec0::1', '4000::1'],
  ['IPv4 in disguise', '::ffff:127.0.0.1', '::ffff:a00:1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ['other spellings', '2130706433', '0x7f.1', '0177.0.0.1', '127.1'],
  ['no address at all', '', 'localhost', '127.0.0.1:80', '[::1]'],
])('addresses of %s are not public', (_what, ...addresses) => {
  for (const address of addresses) expect([address, allows(nothing, address)]).toEqual([address, false])
})

it('public addresses may be called', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
    expect([address, allows(nothing, address)]).toEqual([address, true])
})

it('an allowed address, range or name opens itself and nothing beside it', () => {
  const rule = addressRule(['10.0.0.5', '192.168.0.0/16', 'fd12::/16', 'n8n.local', '::1'])
  for (const address of ['10.0.0.5', '::ffff:10.0.0.5', '192.168.77.1', 'fd12:3::4', '::1'])
    expect([address, allows(rule, address)]).toEqual([address, true])
  for (const address of ['10.0.0.6', '192.169.0.1.', '127.0.0.1', 'fd13::1'])
    expect([address, allows(rule, address)]).toEqual([address, false])
  expect(rule.allows('172.18.0.4', 'N8N.local.')).toBe(true)
  expect(rule.allows('172.18.0.4', 'evil.n8n.local')).toBe(false)
})

it('an entry is an address, a range or a host name', () => {
  for (const entry of ['10.0.0.5', '10.0.0.0/8', '::1', 'fd00::/8', 'localhost', 'crm.intranet', 'a_b-c.d.'])
    expect([entry, isAllowEntry(entry)]).toEqual([entry, true])
  for (const entry of [
    '',
    '10.0.0.0/33',
    '10.0.0',
    'http://crm',
    'crm:80',
    '*',
    '*.local',
    'a..b',
    '999.1.1.1',
  ])
    expect([entry, isAllowEntry(entry)]).toEqual([entry, entry === '10.0.0'])
})
