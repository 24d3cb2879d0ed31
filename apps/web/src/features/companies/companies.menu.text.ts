import { texts } from '../../platform/text.ts'

/** Menu texts: part of the entry script; the screen's own texts load with the screen. */
export const useCompanyMenuText = texts({
  platform: ['Cadastro e bloqueio', 'Sign-up and blocking', 'Registro y bloqueo'],
  settings: ['Configurações', 'Settings', 'Configuración'],
})
