static int sum(int most)            // CHECK: [[@LINE]]|  |
{                                   // CHECK-NEXT: [[@LINE]]| 2|
    int total = 0;                  // CHECK-NEXT: [[@LINE]]| 2|
    for (int i = 0; i < most; i++)  // CHECK-NEXT: [[@LINE]]| 7|
        total += i;                 // CHECK-NEXT: [[@LINE]]| 5|
                                    // CHECK: File 0, [[@LINE-1]]:9 -> [[@LINE-1]]:19 = #1
    if (total > 100)                // CHECK: [[@LINE]]| 2|
        total = 0;                  // CHECK-NEXT: [[@LINE]]| 0|
    return total;                   // CHECK-NEXT: [[@LINE]]| 2|
}

int main(void)
{
    return sum(5) + sum(0) - 10;
}
