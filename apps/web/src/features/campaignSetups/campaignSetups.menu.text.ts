import { texts } from '../../platform/text.ts'

export const useSetupMenuText = texts({
  setups: ['Configurações de campanha', 'Campaign setups', 'Configuraciones de campaña'],
})
