int main(void) {
    switch (1 &&
            0) {
    }
}
