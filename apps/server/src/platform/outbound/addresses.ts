import ipaddr from 'ipaddr.js'

/** Which addresses may be called from here. */
export interface AddressRule {
  /** True when the address is public, or it or the host name is among those allowed. */
  allows(address: string, host: string): boolean
}

/** True for valid entries of OUTBOUND_ALLOW: an address, a range such as 10.0.0.0/8, or a host name. */
export const isAllowEntry = (entry: string) =>
  ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry) || isHostName(entry)

/** The rule of these entries of OUTBOUND_ALLOW. */
export function addressRule(allowed: string[]): AddressRule {
  const names = new Set(allowed.filter(isHostName).map(withoutDot))
  const ranges = allowed.filter(entry => !isHostName(entry)).map(rangeOf)
  return {
    allows(text, host) {
      if (!ipaddr.isValid(text)) return false
      const address = ipaddr.process(text)
      return isPublic(address) || names.has(withoutDot(host)) || isIn(ranges, address)
    },
  }
}

/** True for an address or a range such as 10.0.0.0/8. ipaddr.js also reads `7` and `1.5` as addresses of IPv4. */
export const isRange = (entry: string) =>
  /^(\d+\.){3}\d+(\/|$)|:/.test(entry) && (ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry))

/** Whether an address is in one of the ranges; an IPv4 address in an IPv6 form counts as itself. */
export function inRanges(entries: string[]): (text: string) => boolean {
  const ranges = entries.map(rangeOf)
  return text => ipaddr.isValid(text) && isIn(ranges, ipaddr.process(text))
}

type Range = [Address, number]

const rangeOf = (entry: string): Range =>
  ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : oneAddress(entry)

const isIn = (ranges: Range[], address: Address) =>
  ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))

type Address = ReturnType<typeof ipaddr.process>

const oneAddress = (text: string): [Address, number] => {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const isHostName = (entry: string) =>
  /^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(entry) && !ipaddr.isValid(entry)
const withoutDot = (host: string) => host.toLowerCase().replace(/\.$/, '')

/** IPv6 that is given out at all: https://www.iana.org/assignments/ipv6-address-space */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3')

/** A public address that inside Azure is the machine's own host, and answers with its secrets. */
const AZURE_HOST = '168.63.129.16'

const isPublic = (address: Address) =>
  address.range() === 'unicast' &&
  address.toString() !== AZURE_HOST &&
  (address.kind() === 'ipv4' || address.match(GLOBAL_V6 as [ipaddr.IPv6, number]))
