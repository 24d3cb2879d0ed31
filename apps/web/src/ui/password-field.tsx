import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../platform/text.ts'

const useText = texts({
  show: ['Mostrar senha', 'Show password', 'Mostrar contraseña'],
  hide: ['Ocultar senha', 'Hide password', 'Ocultar contraseña'],
})

/** A password; its button says what pressing it does now. */
export function PasswordField(props: PasswordInputProps) {
  const t = useText()
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
