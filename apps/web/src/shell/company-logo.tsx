import { useQuery } from '@tanstack/react-query'
import { addressOfBytes, bytesOptions } from '../platform/bytes.ts'
import { Mark } from './mark.tsx'

interface Props {
  /** Empty for none. */
  logoUrl: string
  className?: string | undefined
}

/** The company's own logo, whose bytes are behind the token; the installation's while there is none. */
export function CompanyLogo({ logoUrl, className }: Props) {
  const { data } = useQuery(bytesOptions(logoUrl || null))
  if (!logoUrl || !data) return <Mark size={30} />
  return <img src={addressOfBytes(data)} alt="" className={className} />
}
