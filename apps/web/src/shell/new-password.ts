import { newPasswordOf } from '@balcao/contract/accounts.ts'
import { useMemo } from 'react'
import { useBranding } from './branding.ts'

/** A new password as this installation asks for it: the contract's shape with its least length. */
export function useNewPassword() {
  const { passwordLength } = useBranding()
  return useMemo(() => newPasswordOf(passwordLength), [passwordLength])
}
