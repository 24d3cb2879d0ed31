import { texts } from '../../platform/text.ts'

export const useReportMenuText = texts({
  dash: ['Painel', 'Dashboard', 'Panel'],
  reports: ['Relatórios', 'Reports', 'Informes'],
})
