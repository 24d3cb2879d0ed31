import { texts } from '../platform/text.ts'

/** What the button of a password does. */
export const usePasswordText = texts({
  show: ['Mostrar senha', 'Show password', 'Mostrar contraseña'],
  hide: ['Ocultar senha', 'Hide password', 'Ocultar contraseña'],
})
