/** The floor: nothing but the six routes. */
import { serve } from './by-hand.mts';

serve();
