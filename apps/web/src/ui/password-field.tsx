import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { usePasswordText } from './password.text.ts'

/** A password; its button is labelled with what pressing it does now. */
export function PasswordField(props: PasswordInputProps) {
  const t = usePasswordText()
  const [shown, setShown] = useState(false)
  return (
    <PasswordInput
      {...props}
      visible={shown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ 'aria-label': t(shown ? 'hide' : 'show') }}
    />
  )
}
