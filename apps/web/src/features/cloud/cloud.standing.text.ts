import { texts } from '../../platform/text.ts'

/** What Meta holds against a number. */
export const useStandingText = texts({
  worse: ['{name}: {what}', '{name}: {what}', '{name}: {what}'],
  banned: ['Bloqueado pela Meta', 'Banned by Meta', 'Bloqueado por Meta'],
  banScheduled: [
    'A Meta vai desativar a conta',
    'Meta will disable the account',
    'Meta desactivará la cuenta',
  ],
  restricted: ['Com restrições da Meta', 'Restricted by Meta', 'Con restricciones de Meta'],
  flagged: ['Sinalizado pela Meta', 'Flagged by Meta', 'Señalado por Meta'],
  unregistered: ['Número não registrado', 'Number not registered', 'Número no registrado'],
  qualityLow: ['Qualidade baixa', 'Low quality', 'Calidad baja'],
  qualityMedium: ['Qualidade média', 'Medium quality', 'Calidad media'],
  nameDeclined: ['Nome recusado', 'Name declined', 'Nombre rechazado'],
  limitFell: [
    'menos contatos novos em 24 horas',
    'fewer new contacts in 24 hours',
    'menos contactos nuevos en 24 horas',
  ],
})
